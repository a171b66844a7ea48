import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { contractParts } from '../scripts/build-contract.ts'
import { inlineStyles } from '../scripts/build-inline-styles.ts'
import { prerender } from '../scripts/build-prerender.ts'

/**
 * Vite would make some 60 files of a screen, and each costs a slow phone a round trip. These groups leave about 15.
 * The order matters: an earlier group takes a module before a later one.
 */
const CHUNKS = [
  {
    // What the landing page and the login page share with the app, so that these two load no more than they use.
    name: 'visitors',
    test: /web\/(app\/visitor-script|landing\/login|lib\/(session|dialog-history|draft-storage|modal|api|prefetch|server-clock|passkeys))\.ts|contract\/profile\/(profile|join)\.ts$|vite\/preload-helper|rolldown\/runtime/,
    priority: 3,
  },
  {
    // Runs before React has arrived, to ask for the requested page and its first answers.
    name: 'pages',
    test: /web\/(app\/(pages|first-reads)|dashboard\/prefetch|lib\/(dates|layout|month))\.ts|contract\/lib\/calendar-day\.ts$/,
    priority: 2,
  },
  {
    // What several screens use. Schemas and zod stay with the forms that they check (scripts/build-contract.ts).
    name: 'common',
    test: /node_modules\/(?!zod)|web\/(ui|lib)\/|contract\/[^?]*$/,
    minShareCount: 3,
    priority: 1,
  },
]
const shortName = ({ name = 'part' }) => `assets/${name.split('~', 1)[0]}-[hash]`

export default defineConfig({
  root: import.meta.dirname,
  // Three documents, chosen by the server: the landing page at /, the login page at /login, the app everywhere else.
  appType: 'mpa',
  plugins: [contractParts(), react(), prerender(), inlineStyles('app.html')],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      input: ['index.html', 'login.html', 'app.html'].map(
        (page) => `${import.meta.dirname}/${page}`,
      ),
      output: {
        codeSplitting: { groups: CHUNKS },
        chunkFileNames: (chunk) => `${shortName(chunk)}.js`,
        assetFileNames: ({ names: [name] }) =>
          name?.includes('~') ? `${shortName({ name })}[extname]` : 'assets/[name]-[hash][extname]',
      },
    },
  },
})
