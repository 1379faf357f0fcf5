import { render } from 'preact'
import { App } from './app.tsx'
import { hasCode } from './session.ts'
import './style.css'

// If a code is pasted into the URL of an open page, reload: only loading the page uses the code and removes it from the
// URL.
addEventListener('hashchange', () => {
  if (hasCode()) location.reload()
})

const root = document.getElementById('app')
if (root) render(<App />, root)
