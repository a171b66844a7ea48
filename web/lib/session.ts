const KEY = 'token',
  /** Tells other tabs that somebody logged out by hand. */
  LOGGED_OUT = 'logged-out',
  /** Kept in this tab between sessions, with the reason if there is one, for the login page. */
  EXPIRED_KEY = 'session-expired'
const listeners = new Set<() => void>()
let isEndDeferred = false

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const notifyListeners = () => listeners.forEach((listener) => listener())

const warnNoMore = () =>
  window.addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), {
    capture: true,
  })

/** The token is stored where the specification wants it. */
export const session = {
  token: () => localStorage.getItem(KEY),
  start: (token: string) => {
    sessionStorage.removeItem(EXPIRED_KEY)
    localStorage.removeItem(LOGGED_OUT)
    localStorage.setItem(KEY, token)
    notifyListeners()
  },
  end: (reason = '') => {
    if (isEndDeferred) return
    localStorage.removeItem(KEY)
    sessionStorage.setItem(EXPIRED_KEY, reason)
    notifyListeners()
  },
  hasExpired: () => sessionStorage.getItem(EXPIRED_KEY) !== null,
  endReason: () => sessionStorage.getItem(EXPIRED_KEY) ?? '',
  /** Called at every login and every end of a session. Returns a function that unsubscribes. */
  subscribe,
  /** The server ended the session at the user's request: `end` waits until they leave the page. */
  deferEnd: () => {
    isEndDeferred = true
  },
  /** Listeners of this event object if something is unsaved. */
  isAllSaved: () => window.dispatchEvent(new Event('beforeunload', { cancelable: true })),
  /** Loads `path` without a warning, so that nothing of the session stays in memory. */
  leaveTo: (path: string) => {
    sessionStorage.removeItem(EXPIRED_KEY)
    warnNoMore()
    localStorage.setItem(LOGGED_OUT, '')
    localStorage.removeItem(KEY)
    location.assign(path)
  },
}

/** Reloads this tab when another one logs in or out. */
export const followOtherTabs = () =>
  window.addEventListener('storage', ({ key }) => {
    if (key !== KEY || isEndDeferred) return
    const hasExpired = !session.token() && localStorage.getItem(LOGGED_OUT) === null
    if (hasExpired) sessionStorage.setItem(EXPIRED_KEY, '')
    if (hasExpired) notifyListeners()
    warnNoMore()
    location.reload()
  })

/** Browsers keep left pages for Back. After a login or logout such a page hides and reloads. */
export function clearHistoryOnLogout() {
  let owner = session.token()
  subscribe(() => {
    owner = session.token()
  })
  const hideFromOthers = () => {
    const hasNewOwner = owner !== session.token()
    if (hasNewOwner) document.documentElement.hidden = true
    return hasNewOwner
  }
  window.addEventListener('pagehide', hideFromOthers)
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted && hideFromOthers()) location.reload()
  })
}
