import { render } from 'preact'
import { App } from './app.tsx'
import { hasCode } from './session.ts'
import './style.css'

// A code pasted into the URL of an open page: only loading the page uses and removes it.
addEventListener('hashchange', () => {
  if (hasCode()) location.reload()
})

const root = document.getElementById('app')
if (root) render(<App />, root)
