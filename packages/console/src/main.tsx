import { render } from 'preact'
import { App } from './app.tsx'
import { hasCode } from './session.ts'
import './style.css'

// A code that is pasted into the address of an open page: only a load takes it out again.
addEventListener('hashchange', () => {
  if (hasCode()) location.reload()
})

const root = document.getElementById('app')
if (root) render(<App />, root)
