const TOKEN_KEY = 'token'
/** Set by a logout, which other tabs must not mistake for an expired session. */
const LOGGED_OUT_KEY = 'logged-out'
/** Set when this tab's session has ended. Its value is the reason, which the login page shows. */
const EXPIRED_KEY = 'session-expired'

const listeners = new Set<() => void>()
let isEndDeferred = false

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const notifyListeners = () => listeners.forEach((listener) => listener())

const suppressUnloadWarnings = () =>
  window.addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), {
    capture: true,
  })

/** The token is in local storage, where the specification requires it. */
export const session = {
  token: () => localStorage.getItem(TOKEN_KEY),
  start: (token: string) => {
    sessionStorage.removeItem(EXPIRED_KEY)
    localStorage.removeItem(LOGGED_OUT_KEY)
    localStorage.setItem(TOKEN_KEY, token)
    notifyListeners()
  },
  end: (reason = '') => {
    if (isEndDeferred) return
    localStorage.removeItem(TOKEN_KEY)
    sessionStorage.setItem(EXPIRED_KEY, reason)
    notifyListeners()
  },
  hasExpired: () => sessionStorage.getItem(EXPIRED_KEY) !== null,
  endReason: () => sessionStorage.getItem(EXPIRED_KEY) ?? '',
  subscribe,
  /** For a request that ends this session. Makes `end` do nothing, so the user can read the
   *  result. */
  deferEnd: () => {
    isEndDeferred = true
  },
  /** False if a listener for `beforeunload` says that something is unsaved. */
  isAllSaved: () => window.dispatchEvent(new Event('beforeunload', { cancelable: true })),
  /** Loads `path` as a new page, so that no data of the session stays in memory. */
  leaveTo: (path: string) => {
    sessionStorage.removeItem(EXPIRED_KEY)
    suppressUnloadWarnings()
    localStorage.setItem(LOGGED_OUT_KEY, '')
    localStorage.removeItem(TOKEN_KEY)
    location.assign(path)
  },
}

export const followOtherTabs = () =>
  window.addEventListener('storage', ({ key }) => {
    if (key !== TOKEN_KEY || isEndDeferred) return
    const hasExpired = !session.token() && localStorage.getItem(LOGGED_OUT_KEY) === null
    if (hasExpired) {
      sessionStorage.setItem(EXPIRED_KEY, '')
      notifyListeners()
    }
    suppressUnloadWarnings()
    location.reload()
  })

/** Browsers keep pages in memory for Back. After a login or logout, these pages must reload. */
export function clearHistoryOnLogout() {
  let pageToken = session.token()
  subscribe(() => {
    pageToken = session.token()
  })
  const hideIfUserChanged = () => {
    const hasUserChanged = pageToken !== session.token()
    if (hasUserChanged) document.documentElement.hidden = true
    return hasUserChanged
  }
  window.addEventListener('pagehide', hideIfUserChanged)
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted && hideIfUserChanged()) location.reload()
  })
}
