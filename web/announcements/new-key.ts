/** Names one sending, however often it is tried. Not randomUUID: without https there is none. */
export const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
