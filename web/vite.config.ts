import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compileAhead } from '../scripts/build-compile-ahead.ts'
import { contractParts } from '../scripts/build-contract.ts'
import { inlineStyles } from '../scripts/build-inline-styles.ts'
import { prerender } from '../scripts/build-prerender.ts'

/**
 * A chunk runs whole, so main.tsx, which starts the app, stands alone; what it needs comes as one file. What the landing page
 * shares with it stays small and apart. What screens share comes in few files rather than many: on a phone each costs a round trip.
 */
const CHUNKS = [
  {
    name: 'landing',
    test: new RegExp(
      [
        'web/lib/(session|dialog-history|draft-storage|modal|api|prefetch|server-clock|passkeys)\\.ts',
        'contract/(profile|join)\\.ts$',
        'vite/preload-helper',
        'rolldown/runtime',
      ].join('|'),
    ),
    priority: 9,
  },
  // Long, and of few pages.
  { name: 'agreement', test: /contract\/consent-agreement/, priority: 9 },
  // For whoever uses a passkey.
  { name: 'webauthn', test: /@simplewebauthn/, priority: 9 },
  { name: 'sign-in-calls', test: /contract\/sign-in\.ts$/, priority: 9 },
  {
    name: 'visitor-script',
    test: /web\/app\/visitor-script\.ts|web\/landing\/login(-dialog)?\.ts/,
    priority: 9,
  },
  // Alone, so that it runs before the rest is there.
  {
    name: 'pages',
    test: /web\/app\/(pages|first-reads)\.ts|dashboard\/prefetch\.ts|contract\/month\.ts|web\/lib\/(dates|layout|month)\.ts/,
    priority: 9,
  },
  // What nearly every screen is made of, in one file below them all: chunks of screens import it and never the other way round.
  {
    name: 'base',
    test: new RegExp(
      [
        // Without the icons that few screens have.
        'node_modules/(?!zod/|.*(queriesObserver|useQueries)\\.|@mantine/core/esm/components/(Tabs|Checkbox|Switch|Textarea|NativeSelect|SimpleGrid)/|@mantine/core/esm/utils/InlineInput/|@mantine/form/|klona/|fast-deep-equal/|@capacitor/|@tabler/icons-react/dist/esm/icons/Icon(CalendarCheck|CalendarX|Printer|Cash|UserMinus|UserQuestion|TrendingDown|MedicalCross|Cake|CalendarOff|CalendarPlus|ClockPause|Key|UserCheck|ChevronDown|ChevronUp|Copy|Eye|EyeOff|Phone)\\.)',
        '/contract/(?!consent-(agreement|wordings)|sign-in|audit|exports|csv|import|backups|ledger|owing|late-fee-rule|charge-words|month-range|receipt|cash-counts|statements|payment-figures|split-cents|slipping-away|kiosks?|sensei|families|payments|(student|name)-search|belts|ladder-form|eligibility|promotions|readiness|gradings|certificates|timetable|class-dates|class-date-words|calendar-feeds)[\\w-]+\\.ts$',
        'web/(ui/(?!form-dialog|message-dialogs|switch-row|(rank-)?belt\\.|rank-words|tabs|copy-field|search-picker|rows|month-chart|money-columns|data-table|selection-bar|offline-note)|lib/(?!form\\.|chart-scale|device-database|copies|outbox|shell|leaving|file-api|install-moment|rendered-count))',
        'web/app/(?!main|first-reads|visitor-script|text-person-dialog|tell-student)',
        'web/notifications/(?!push-here)',
        'web/profile/logout',
        'web/students/student-drafts',
        'web/(texting|classes)/(use-(?!phones)|class-options)',
      ].join('|'),
    ),
    minShareCount: 2,
    priority: 8,
  },
  // What lists of students and of records have: small parts, of which most lists have several.
  {
    name: 'lists',
    test: new RegExp(
      [
        'contract/(exports|student-search)\\.ts$',
        'web/exports/download-csv\\.tsx$',
        'web/lib/rendered-count',
        'web/students/(class-groups|stored-student)',
        'web/ui/(data-table|rank-belt|rank-words|belt\\.)',
      ].join('|'),
    ),
    minShareCount: 2,
    priority: 7.5,
  },
  // Apart from the forms that bring schemas.
  {
    name: 'password-fields',
    test: /web\/accounts\/(new-)?password-field|contract\/passwords\.ts$/,
    minShareCount: 2,
    priority: 7,
  },
  // Of every search for a person.
  { name: 'name-search', test: /contract\/name-search/, minShareCount: 2, priority: 8 },
  // What forms are made of: it comes with the first of them, and not before the first screen.
  {
    name: 'form-parts',
    test: /@mantine\/form\/|\/(klona|fast-deep-equal)\/|web\/(lib\/form\.|ui\/(form-dialog|message-dialogs))/,
    minShareCount: 2,
    priority: 7,
  },
  {
    name: 'checks',
    test: /components\/(Checkbox|Switch)\/|utils\/InlineInput\/|web\/ui\/switch-row/,
    minShareCount: 2,
    priority: 7,
  },
  { name: 'text-area', test: /components\/Textarea\//, minShareCount: 2, priority: 7 },
  { name: 'select', test: /components\/NativeSelect\//, minShareCount: 2, priority: 7 },
  // Of the screens that show dates of classes.
  {
    name: 'class-dates',
    test: /contract\/(timetable|class-dates|class-date-words)\.ts$|web\/dated-classes\/(dates|date-state|use-date-acts|use-dates-on|act-button)/,
    minShareCount: 2,
    priority: 7,
  },
  // Of the homes of students and guardians.
  {
    name: 'homes',
    test: /web\/attendance\/next-class|web\/dashboard\/recent-announcements/,
    minShareCount: 2,
    priority: 4.5,
  },
  { name: 'student-data', test: /web\/exports\/student-data/, minShareCount: 2, priority: 4.5 },
  // Of the schedule, and of the dialog about a date.
  { name: 'waiting-list', test: /web\/dated-classes\/waiting-list/, minShareCount: 2, priority: 7 },
  // Of the dialogs about a date.
  { name: 'dated-classes', test: /web\/dated-classes\//, minShareCount: 2, priority: 4.5 },
  {
    name: 'grading-words',
    test: /web\/gradings\/(words|held-rank)/,
    minShareCount: 2,
    priority: 8,
  },
  {
    name: 'gradings',
    test: /web\/gradings\/(result|stored-gradings|rank-group|paper-list)/,
    minShareCount: 2,
    priority: 7,
  },
  {
    name: 'grading-forms',
    test: /web\/gradings\/(grading-fields|choose-candidates|candidate-choice)/,
    minShareCount: 2,
    priority: 5,
  },
  // The outbox and the marks in it, which the dashboard has only once it is drawn.
  {
    name: 'marks',
    test: /web\/attendance\/(pending-marks|marks|unsaved-notice)|web\/lib\/outbox/,
    minShareCount: 2,
    priority: 8,
  },
  // What is done for a time without a network, after everything else.
  {
    name: 'offline',
    test: /web\/app\/(no-network|offline-notes|start-offline|stored-reads)|web\/lib\/(shell|copies|leaving|device-database)|web\/ui\/offline-note/,
    priority: 7,
  },
  // Apart from the forms of other pages for visitors.
  { name: 'visitor-page', test: /web\/profile\/visitor-page/, priority: 7 },
  // Shared with the consent page alone, which brings the schemas.
  { name: 'consent-wording', test: /web\/texting\/consent-wording\.tsx/, priority: 7 },
  // What the Payment Center and a student's page have of the ledger; its schemas are in their forms alone.
  {
    name: 'ledger',
    test: /contract\/(ledger|owing)\.ts$|web\/payments\/(payment-reads|mark-words|account-figures|promise-text)/,
    minShareCount: 2,
    priority: 7,
  },
  // What the Payment Center's rows share with its table and its classes, which come when they are shown.
  {
    name: 'payment-rows',
    test: /web\/payments\/(payment-(list|cards)|row-|use-mark-(payment|all)|use-payments|family|group-families)/,
    minShareCount: 2,
    priority: 6,
  },
  // What the list of who owes shares with its dialogs and with a student's page.
  {
    name: 'owing',
    test: /contract\/late-fee-rule\.ts$|web\/payments\/promise-note/,
    minShareCount: 2,
    priority: 7,
  },
  {
    name: 'ledger-schemas',
    test: /contract\/(ledger|owing|late-fee-rule|receipts|cash-counts|statements|payments|payment-records|payment-figures|slipping-away)\.ts\?schemas$/,
    priority: 5,
  },
  // What the screens of ranks and gradings share with a student's page and the homes.
  {
    name: 'belts',
    test: /contract\/(belts|ladder-form|eligibility|promotions|readiness|certificates)\.ts$|web\/belts\/(belts-data|rank-(history|select|undo-bar)|standing)/,
    minShareCount: 2,
    priority: 7,
  },
  {
    name: 'date-schemas',
    test: /contract\/(timetable|class-dates|calendar-feeds)\.ts\?schemas$/,
    priority: 5,
  },
  // Of the kiosk, of its settings and of the dialogs that set a PIN.
  {
    name: 'kiosk-calls',
    test: /contract\/kiosks?\.ts$|web\/kiosk\/kiosk-credential/,
    minShareCount: 2,
    priority: 7,
  },
  // Of the screens that draw ladders.
  { name: 'ladder-words', test: /web\/belts\/rank-(words|rows)/, minShareCount: 2, priority: 7 },
  { name: 'kiosk-schemas', test: /contract\/kiosks?\.ts\?schemas$/, priority: 5 },
  {
    name: 'belt-schemas',
    test: /contract\/(belts|ladder-form|promotions|readiness|gradings|certificates)\.ts\?schemas$/,
    priority: 5,
  },
  // Of the dialogs that text somebody.
  { name: 'conversation-schemas', test: /contract\/conversations\.ts\?schemas$/, priority: 5 },
  // What checks forms comes with the forms (scripts/build-contract.ts).
  {
    name: 'schemas',
    test: /\/zod\/|(?<!\/(ledger|owing|late-fee-rule|receipts|cash-counts|statements|payments|payment-records|payment-figures|slipping-away|conversations|kiosks?|belts|ladder-form|promotions|readiness|gradings|certificates|timetable|class-dates|calendar-feeds)\.ts)\?schemas$/,
    priority: 6,
  },
  // What several pages have of forms; merged with what screens share, they would bring their schemas to the screens. Those of students
  // and classes are in dialogs of instructors alone.
  // What a step of the sign-in has of forms, without their schemas.
  { name: 'password-field', test: /web\/accounts\/password-field/, priority: 7 },
  { name: 'message-fields', test: /web\/texting\/message-fields/, minShareCount: 2, priority: 7 },
  {
    name: 'dojo-forms',
    test: /web\/(students|classes)\/[a-z-]*(fields|form)/,
    minShareCount: 2,
    priority: 6,
  },
  {
    name: 'forms',
    test: /web\/(profile\/|[a-z]+\/[a-z-]*(fields|form))/,
    minShareCount: 2,
    priority: 5,
  },
  // Apart from the rest of texting, as the Payment Center and a student's page have them.
  {
    name: 'text-status',
    test: /web\/texting\/(text-status|result-banner)/,
    minShareCount: 2,
    priority: 6,
  },
  // What the Message Center shares with the conversations and the dialogs of both.
  {
    name: 'texting',
    test: /web\/(texting\/(?!announcement|result-banner|text-status|use-)|app\/text-person-dialog)/,
    minShareCount: 2,
    priority: 5,
  },
  // What the screen of sign-in and devices shares with its dialogs and with the steps of a sign-in.
  { name: 'sign-in', test: /web\/sign-in\//, minShareCount: 2, priority: 5 },
  // Of few screens each.
  { name: 'tabs', test: /web\/ui\/tabs|components\/Tabs\//, minShareCount: 2, priority: 7 },
  // What homes share, with each other and with a few screens each.
  {
    name: 'today',
    test: /contract\/(slipping-away|gradings|certificates)\.ts$|web\/dashboard\/(layout|grading-invitations)|attendance\/excuses|ui\/rows\.module|icons\/Icon(Cake|UserQuestion)\./,
    minShareCount: 2,
    priority: 8,
  },
  {
    name: 'emergency',
    test: /icons\/IconMedicalCross\.|students\/(emergency-call|medical-notes)/,
    minShareCount: 2,
    priority: 7,
  },
  {
    name: 'receipts',
    test: /contract\/receipts\.ts$|icons\/IconPrinter\./,
    minShareCount: 2,
    priority: 7,
  },
  { name: 'install-moment', test: /web\/lib\/install-moment/, minShareCount: 2, priority: 7 },
  {
    name: 'files',
    test: /web\/lib\/file-api|web\/exports\/(use-|save-file)/,
    minShareCount: 2,
    priority: 7,
  },
  { name: 'push-here', test: /web\/notifications\/push-here/, minShareCount: 2, priority: 7 },
  { name: 'payments', test: /contract\/payments\.ts$/, minShareCount: 2, priority: 7 },
  { name: 'sensei', test: /contract\/sensei\.ts$/, minShareCount: 2, priority: 7 },
  { name: 'families', test: /contract\/families\.ts$/, minShareCount: 2, priority: 7 },
  { name: 'copy-field', test: /web\/ui\/copy-field/, minShareCount: 2, priority: 7 },
  {
    name: 'month-chart',
    test: /web\/(ui\/month-chart|lib\/chart-scale)/,
    minShareCount: 2,
    priority: 6,
  },
  { name: 'money-columns', test: /web\/ui\/money-columns/, minShareCount: 2, priority: 7 },
  // Of the dialogs that text somebody.
  {
    name: 'phones',
    test: /web\/texting\/use-phones|(queriesObserver|useQueries)\./,
    minShareCount: 2,
    priority: 7,
  },
  // Of those who join, and of the forms of instructors.
  {
    name: 'guardian-fields',
    test: /contract\/consent-wordings|accounts\/email-field|families\/guardian-fields/,
    minShareCount: 2,
    priority: 7,
  },
  { name: 'undo-bar', test: /payments\/undo-bar/, minShareCount: 2, priority: 7 },
  { name: 'selection-bar', test: /web\/ui\/selection-bar/, minShareCount: 2, priority: 6 },
  // Of the Message Center and the dashboards.
  {
    name: 'announcement-entry',
    test: /web\/texting\/announcement-entry/,
    minShareCount: 2,
    priority: 6,
  },
  // The searches for a person, which dialogs have.
  {
    name: 'searches',
    test: /web\/(students\/student-picker|ui\/search-picker)/,
    minShareCount: 2,
    priority: 5,
  },
  // For the native app alone.
  { name: 'native', test: /@capacitor/, priority: 6 },
  {
    name: 'shared',
    test: /^(?!.*main\.tsx)/,
    minShareCount: 2,
    entriesAware: true,
    entriesAwareMergeThreshold: 20_000,
    priority: 4,
  },
]
const shortName = ({ name = 'part' }) => `assets/${name.split('~', 1)[0]}-[hash]`

export default defineConfig({
  root: import.meta.dirname,
  // Three documents, chosen by the server: the landing page at /, the login page at /login, the app everywhere else.
  appType: 'mpa',
  plugins: [
    contractParts(),
    react(),
    prerender(),
    inlineStyles('app.html'),
    compileAhead(/^(base|main)$/),
  ],
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
