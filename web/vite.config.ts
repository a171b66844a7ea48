import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compileHint } from '../scripts/build-compile-hint.ts'
import { contractParts } from '../scripts/build-contract.ts'
import { hoverStyles } from '../scripts/build-hover-styles.ts'
import { inlineStyles } from '../scripts/build-inline-styles.ts'
import { prerender } from '../scripts/build-prerender.ts'

const splitWords = (list: string) => list.trim().split(/\s+/)

const VISITOR_MODULES = splitWords(`
  vite/preload-helper.js rolldown/runtime.js contract/profile/join.ts contract/profile/profile.ts
  web/app/visitor-script.ts web/landing/login.ts web/lib/api.ts web/lib/dialog-history.ts
  web/lib/draft-storage.ts web/lib/modal.ts web/lib/passkeys.ts web/lib/prefetch.ts
  web/lib/server-clock.ts web/lib/session.ts`)
/** These run before React has loaded, and fetch the requested page and its first data. */
const PAGES_MODULES = splitWords(`
  contract/lib/calendar-day.ts web/app/first-reads.ts web/app/pages.ts web/dashboard/prefetch.ts
  web/lib/dates.ts web/lib/layout.ts web/lib/month.ts web/lib/paths.ts`)
const SHARED_FOLDERS = splitWords('node_modules/ web/ui/ web/lib/ contract/')
/** Only forms use these. They load them together with Zod and the schemas. */
const FORM_PATH_PARTS = splitWords(`
  zod klona fast-deep-equal simplewebauthn mantine/form Checkbox/ Switch/ Textarea/ SimpleGrid/
  InlineInput/ NumberInput/ Radio/ FileInput/ react-number-format web/lib/form web/ui/switch
  contract/texting`)

const isOneOf = (paths: string[]) => (id: string) => paths.some((path) => id.endsWith(path))
const contains = (id: string, parts: string[]) => parts.some((part) => id.includes(part))
/** Several dialogs share these, but most screens do not need them. */
const RARE_PATH_PARTS = splitWords(`
  contract/import/ contract/rights.ts contract/staff/ contract/plans/ contract/memberships/
  contract/audit/ contract/kiosk/ contract/sensei/ contract/gradings/ contract/bookkeeping/
  contract/documents/ contract/online-payment/ contract/leads/ contract/exports/
  contract/slipping-away/ contract/families/ contract/followups/ contract/trials/
  contract/public-page/ contract/privacy/ contract/accounts/sign-in web/lib/chart-scale
  web/ui/bar-table web/ui/download-
  web/ui/data-table web/ui/month-chart web/ui/use-download`)
// The last condition leaves out the schemas of the contract, whose ids end with `?schemas`.
const isCommon = (id: string) =>
  contains(id, SHARED_FOLDERS) &&
  !contains(id, [...FORM_PATH_PARTS, ...RARE_PATH_PARTS]) &&
  !/contract\/[^?]*\?/.test(id)

/** Combines modules; otherwise a screen would load about 60 files. The highest priority wins. */
const CHUNKS = [
  { name: 'visitors', test: isOneOf(VISITOR_MODULES), priority: 3 },
  { name: 'pages', test: isOneOf(PAGES_MODULES), priority: 2 },
  { name: 'common', test: isCommon, minShareCount: 3, priority: 1 },
]
/** Every screen of the app runs these chunks first. */
const STARTUP_CHUNKS = ['common', 'main']
const shortName = ({ name = 'part' }) => `assets/${name.split('~', 1)[0]}-[hash]`

export default defineConfig({
  root: import.meta.dirname,
  // The landing page at /, the login page at /login, the page for signing at /sign, and the app
  // everywhere else.
  appType: 'mpa',
  plugins: [
    contractParts(),
    react(),
    prerender(),
    inlineStyles('app.html'),
    compileHint(STARTUP_CHUNKS),
  ],
  css: { postcss: { plugins: [hoverStyles] } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      input: ['index.html', 'login.html', 'sign.html', 'app.html'].map(
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
