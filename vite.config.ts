import { fileURLToPath } from 'node:url'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  root: at('src/web'),
  cacheDir: at('node_modules/.cache/vite'),
  plugins: [react(), tailwind()],
  resolve: {
    // Its browser version decodes `&lt;` by innerHTML. The page's policy refuses that, and an
    // answer with an entity would break the whole page.
    alias: {
      'decode-named-character-reference': at(
        'node_modules/decode-named-character-reference/index.js',
      ),
    },
  },
  build: {
    outDir: at('dist/web'),
    emptyOutDir: true,
    target: 'es2024',
    // The page may load only what the server sends: data URLs for scripts and fonts would need
    // exceptions in its content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
})
