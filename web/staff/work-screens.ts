/** Hours and Pay in one chunk, because each chunk makes the app’s first download larger. */
export { Hours } from './hours.tsx'
export { Pay } from './pay.tsx'
