import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { contractParts } from '../scripts/build-contract.ts'
import { prerender } from '../scripts/build-prerender.ts'

/**
 * A chunk runs whole, so main.tsx, which starts the app, stands alone; what it needs comes as one file. What the landing page
 * shares with it stays small and apart. What screens share comes in few files rather than many: on a phone each costs a round trip.
 */
const CHUNKS = [
  { name: 'landing', test: /web\/lib\/(session|dialog-history)\.ts|vite\/preload-helper|rolldown\/runtime/, priority: 9 },
  // Alone, so that it runs before the rest is there.
  {
    name: 'pages',
    test: /web\/app\/pages\.ts|dashboard\/prefetch\.ts|contract\/month\.ts|web\/lib\/(prefetch|dates|layout|month)\.ts/,
    priority: 9,
  },
  { name: 'base', tags: ['$initial' as const], test: /^(?!.*(main\.tsx|landing-script\.ts|\.html))/, priority: 8 },
  // What imports nothing else: apart and in one, because chunks that import each other in a circle run before what they need.
  { name: 'contract', test: /\/contract\/[\w-]+\.ts$|@tabler\/icons|web\/lib\/text\.ts|classes\/class-options\.ts/, minShareCount: 2, priority: 7 },
  // What checks forms comes with the forms (scripts/build-contract.ts).
  { name: 'schemas', test: /\/zod\/|\?schemas$/, priority: 6 },
  // For the native app alone.
  { name: 'native', test: /@capacitor/, priority: 6 },
  // What screens are made of, below them all, so that the chunks of screens import it and never the other way round.
  { name: 'ui', test: /web\/(ui|lib)\/|@mantine/, minShareCount: 2, priority: 5 },
  { name: 'shared', test: /^(?!.*main\.tsx)/, minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 10_000, priority: 4 },
]
const shortName = ({ name = 'part' }) => `assets/${name.split('~', 1)[0]}-[hash]`

export default defineConfig({
  root: import.meta.dirname,
  // Two documents, chosen by the server: the landing page at /, the app everywhere else.
  appType: 'mpa',
  plugins: [contractParts(), react(), prerender()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      input: ['index.html', 'app.html'].map((page) => `${import.meta.dirname}/${page}`),
      output: {
        codeSplitting: { groups: CHUNKS },
        chunkFileNames: (chunk) => `${shortName(chunk)}.js`,
        assetFileNames: ({ names: [name] }) => (name?.includes('~') ? `${shortName({ name })}[extname]` : 'assets/[name]-[hash][extname]'),
      },
    },
  },
})
