/** Panels of the student’s page in one chunk, because each chunk makes the app’s first download
 *  larger. */
export { StudentFollowups } from '../followups/student-followups.tsx'
export { BeltHistory } from './belt-history.tsx'
export { StudentDocuments } from './student-documents.tsx'
export { StudentLead } from './student-lead.tsx'
export { StudentTexts } from './student-texts.tsx'
