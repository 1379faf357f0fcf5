import { withBase } from 'vitepress'
import DefaultTheme from 'vitepress/theme'
import { defineComponent, h, onMounted, ref } from 'vue'
import './style.css'

let count = 0

/** Draws a Mermaid diagram in the browser; its source is readable until then, and without JavaScript. */
const Diagram = defineComponent({
  props: { code: { type: String, required: true } },
  setup: ({ code }) => {
    const source = decodeURIComponent(code)
    const drawing = ref('')
    onMounted(async () => {
      // As it was built, and only where there is a diagram: it is large.
      const { default: mermaid } = await import(/* @vite-ignore */ withBase('/mermaid/mermaid.esm.min.mjs'))
      const isDark = document.documentElement.classList.contains('dark')
      mermaid.initialize({ startOnLoad: false, theme: isDark ? 'dark' : 'neutral' })
      count += 1
      drawing.value = (await mermaid.render(`diagram-${count}`, source)).svg
    })
    return () => (drawing.value === '' ? h('pre', source) : h('div', { class: 'diagram', innerHTML: drawing.value }))
  },
})

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => app.component('Diagram', Diagram),
}
