/** The screens about work, in one chunk: each chunk makes the code that starts the app larger. */
export { Hours } from './hours.tsx'
export { Pay } from './pay.tsx'
