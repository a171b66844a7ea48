import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { prerender } from '../scripts/build-prerender.ts'

const API = 'http://127.0.0.1:3000'

export default defineConfig({
  root: import.meta.dirname,
  // Two documents, chosen by the server: the landing page at /, the app everywhere else.
  appType: 'mpa',
  plugins: [react(), prerender()],
  server: { host: '127.0.0.1', port: 5173, proxy: { '/api': API } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { input: ['index.html', 'app.html'].map((page) => `${import.meta.dirname}/${page}`) },
  },
})
