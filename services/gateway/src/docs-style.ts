/** The whole style of the page; its hash is in the page's content security policy. */
export const docsStyle = `
:root { color-scheme: light dark; --ink: light-dark(#1c2227, #e3e7ea); --dim: light-dark(#5b666f, #9aa5ad); --line: light-dark(#dde2e6, #333b42);
  --page: light-dark(#fff, #14181b); --block: light-dark(#f4f6f8, #1d2327); --link: light-dark(#0b5cad, #7db8f0) }
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; display: grid; grid-template-columns: 17rem minmax(0, 1fr) }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1.5rem 1rem; border-right: 1px solid var(--line); font-size: .9rem }
nav ul { list-style: none; margin: .2rem 0 1rem; padding: 0 } nav li { margin: .15rem 0 } nav b { color: var(--dim); font-weight: 600 }
main { padding: 1.5rem clamp(1rem, 4vw, 3rem) 6rem; max-width: 62rem }
a { color: var(--link); text-decoration: none } a:hover, a:focus-visible { text-decoration: underline }
h1 { margin-top: 0 } h2 { margin-top: 3.5rem; border-bottom: 1px solid var(--line); padding-bottom: .3rem }
h3 { margin: 2.5rem 0 .3rem; scroll-margin-top: 1rem } h4 { margin: 1.2rem 0 .3rem; color: var(--dim); font-size: .95rem }
code, pre { font: .88em/1.5 ui-monospace, monospace } pre { background: var(--block); border: 1px solid var(--line); border-radius: 6px; padding: .8rem 1rem; overflow: auto }
.path { font-size: 1rem; overflow-wrap: anywhere } .method { display: inline-block; min-width: 4.2em; padding: .05em .5em; margin-right: .5em; border-radius: 4px;
  text-align: center; color: #fff; font: 700 .75rem/1.7 ui-monospace, monospace }
.get { background: #1769aa } .post { background: #25743b } .patch { background: #8a5a00 } .delete { background: #b3261e }
.scroll { overflow-x: auto } table { border-collapse: collapse; width: 100%; font-size: .92rem } th, td { text-align: left; vertical-align: top; padding: .4rem .8rem .4rem 0; border-top: 1px solid var(--line) }
thead th { border-top: 0; color: var(--dim); font-weight: 600 } th[scope=row] { font-weight: 400; white-space: nowrap } td p { margin: 0 } small { color: var(--dim) }
details { border-top: 1px solid var(--line); padding: .4rem 0 } summary { cursor: pointer }
@media (max-width: 50rem) { body { display: block } nav { position: static; height: auto; border-right: 0; border-bottom: 1px solid var(--line) } }
@media print { nav { display: none } body { display: block } details::details-content { content-visibility: visible; display: block } }
`
