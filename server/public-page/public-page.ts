/** What other modules need to show pages to visitors of a school. */
export { renderDocument, sendDocument } from './document.ts'
export { sendErrorPage } from './error-page.ts'
export {
  findDojoOfAddress,
  readPageForGuests,
  readVisiblePage,
  type VisiblePage,
} from './find-page.ts'
export { formatDayIn, formatTimeIn, languageFor, timeZoneName } from './language.ts'
export { type PageView, phoneLink, renderFooter, renderZone } from './timetable-page.ts'
export {
  openVisit,
  readerLanguage,
  runAsVisitor,
  sendNotFound,
  VISITOR_RATE_LIMIT,
  type VisitorRequest,
} from './visitor-routes.ts'
export { PAGE_WORDS } from './words.ts'
