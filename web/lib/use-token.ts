import { useSyncExternalStore } from 'react'
import { session } from './session.ts'

/** The token of whoever is signed in, else null. Apart from session.ts, so that the landing page needs no React. */
export const useToken = () => useSyncExternalStore(session.subscribe, session.token)
