const KEY = 'token',
  /** Stands beside the token's place once somebody has logged out by hand, for the other tabs to see. */
  LOGGED_OUT = 'logged-out',
  /** Stands in this tab's storage from the end of a session until the next, with the reason if there is one, for the login page to say so. */
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

/** Who is signed in on this browser: the token, kept where the specification wants it. */
export const session = {
  token: () => localStorage.getItem(KEY),
  start: (token: string) => {
    sessionStorage.removeItem(EXPIRED_KEY)
    localStorage.removeItem(LOGGED_OUT)
    localStorage.setItem(KEY, token)
    notifyListeners()
  },
  /** `reason` where somebody else has ended it (contract/accounts/accounts.ts). */
  end: (reason = '') => {
    if (isEndDeferred) return
    localStorage.removeItem(KEY)
    sessionStorage.setItem(EXPIRED_KEY, reason)
    notifyListeners()
  },
  /** Whether the session ended by itself in this tab, and nobody has signed in since. */
  hasExpired: () => sessionStorage.getItem(EXPIRED_KEY) !== null,
  endReason: () => sessionStorage.getItem(EXPIRED_KEY) ?? '',
  /** Calls `listener` after every sign-in and every end of the session. Returns a function that unsubscribes. */
  subscribe,
  /** The server has just ended the session at the reader's own request: `end` does nothing until they leave the page. */
  deferEnd: () => {
    isEndDeferred = true
  },
  /** Whether everything is saved. Whoever would make the browser warn before the page is left says so here, too. */
  isAllSaved: () => window.dispatchEvent(new Event('beforeunload', { cancelable: true })),
  /** Ends the session and loads `path` afresh, without a warning, so that nothing of it stays in memory. */
  leaveTo: (path: string) => {
    sessionStorage.removeItem(EXPIRED_KEY)
    warnNoMore()
    localStorage.setItem(LOGGED_OUT, '')
    localStorage.removeItem(KEY)
    location.assign(path)
  },
}

/** Reloads this tab when another tab signs in or out, so that nothing of the earlier person stays in memory. */
export const followOtherTabs = () =>
  window.addEventListener('storage', ({ key }) => {
    if (key !== KEY || isEndDeferred) return
    const hasExpired = !session.token() && localStorage.getItem(LOGGED_OUT) === null
    if (hasExpired) sessionStorage.setItem(EXPIRED_KEY, '')
    if (hasExpired) notifyListeners()
    // Nobody is asked whether to stay on the earlier person's page.
    warnNoMore()
    location.reload()
  })

/** The browser caches a page that is left, for Back. After a sign-in or a sign-out it is hidden, and reloads if it comes back. */
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
