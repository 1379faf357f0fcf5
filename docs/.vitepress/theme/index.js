import { useData, useRoute, withBase } from 'vitepress'
import DefaultTheme from 'vitepress/theme'
import { defineComponent, h, nextTick, onMounted, ref, watch } from 'vue'
import './style.css'

let count = 0

/** Draws a Mermaid diagram in the browser; its source is readable until then, and without JavaScript. */
const Diagram = defineComponent({
  props: { code: { type: String, required: true } },
  setup: ({ code }) => {
    const source = decodeURIComponent(code)
    const drawing = ref('')
    const { isDark } = useData()
    onMounted(async () => {
      // As it was built, and only where there is a diagram: it is large.
      const { default: mermaid } = await import(/* @vite-ignore */ withBase('/mermaid/mermaid.esm.min.mjs'))
      const draw = async () => {
        // In their own size, which scrolls where the page is narrow: scaled down, a wide diagram can't be read.
        const flowchart = { useMaxWidth: false }
        mermaid.initialize({ startOnLoad: false, theme: isDark.value ? 'dark' : 'neutral', flowchart })
        count += 1
        drawing.value = (await mermaid.render(`diagram-${count}`, source)).svg
      }
      await draw()
      watch(isDark, draw)
    })
    return () => (drawing.value === '' ? h('pre', source) : h('div', { class: 'diagram', innerHTML: drawing.value }))
  },
})

const storageKey = 'cairn-docs-language'

/** Shows the examples of a language in every group of the page, where the group has it. */
const showLanguage = (label) => {
  for (const tab of document.querySelectorAll('.vp-code-group label'))
    if (tab.dataset.title === label && !tab.previousElementSibling.checked) tab.click()
}

export default {
  extends: DefaultTheme,
  setup: () => {
    const route = useRoute()
    const showStored = () => {
      const stored = localStorage.getItem(storageKey)
      if (stored !== null) showLanguage(stored)
    }
    onMounted(() => {
      showStored()
      addEventListener('click', ({ target, isTrusted }) => {
        const label = isTrusted && target.closest?.('.vp-code-group label')?.dataset.title
        if (!label) return
        localStorage.setItem(storageKey, label)
        showLanguage(label)
      })
    })
    watch(
      () => route.path,
      () => nextTick(showStored),
    )
  },
  enhanceApp: ({ app }) => app.component('Diagram', Diagram),
}
