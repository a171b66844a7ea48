/** All dialogs about leads in one chunk, because each chunk makes the app’s first download larger. */
export { FairDialog } from './fair-dialog.tsx'
export { fairLeads } from './fair-leads.ts'
export { AddLeadDialog } from './lead-dialogs.tsx'
export { LeadSheet } from './lead-sheet.tsx'
export { SourcesSheet } from './sources-sheet.tsx'
