/** What the page says about new students, in one chunk, because each chunk makes the app’s first
 *  download larger. */
export { StudentFollowups } from '../followups/student-followups.tsx'
export { StudentLead } from './student-lead.tsx'
