import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { contractParts } from '../scripts/build-contract.ts'
import { inlineStyles } from '../scripts/build-inline-styles.ts'
import { prerender } from '../scripts/build-prerender.ts'

/** Packages, components and calls that many screens use. */
const SHARED = /node_modules\/|web\/(ui|lib)\/|contract\/[^?]*$/
/** Used in forms only, which bring them along with zod and the schemas that check them. */
const FORM_PARTS =
  /zod|klona|fast-deep-equal|simplewebauthn|mantine\/form|(Checkbox|Switch|Textarea|SimpleGrid|InlineInput)\/|web\/(lib\/form|ui\/switch)|contract\/texting/

/**
 * By itself, Vite makes some 60 files of a screen, and each costs a slow phone a round trip. With
 * these groups it makes about 15. A group with a higher priority takes a module first.
 */
const CHUNKS = [
  {
    // Shared by the landing page, the login page and the app, so that the first two stay small.
    name: 'visitors',
    test: /web\/(app\/visitor-script|landing\/login|lib\/(session|dialog-history|draft-storage|modal|api|prefetch|server-clock|passkeys))\.ts|contract\/profile\/(profile|join)\.ts$|vite\/preload-helper|rolldown\/runtime/,
    priority: 3,
  },
  {
    // Runs before React is there: requests the code and the first data of the screen.
    name: 'pages',
    test: /web\/(app\/(pages|first-reads)|dashboard\/prefetch|lib\/(dates|layout|month))\.ts|contract\/lib\/calendar-day\.ts$/,
    priority: 2,
  },
  {
    name: 'common',
    test: (id: string) => SHARED.test(id) && !FORM_PARTS.test(id),
    minShareCount: 3,
    priority: 1,
  },
]
const shortName = ({ name = 'part' }) => `assets/${name.split('~', 1)[0]}-[hash]`

export default defineConfig({
  root: import.meta.dirname,
  // Three documents: the landing page at /, the login page at /login, the app everywhere else.
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
