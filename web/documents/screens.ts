/** The screens for documents load together, because each is small. */
export { DocumentPage } from './document-page.tsx'
export { Documents } from './documents.tsx'
export { OwnDocuments } from './own-documents.tsx'
