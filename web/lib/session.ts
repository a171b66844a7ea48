const KEY = 'token',
  /** Stands beside the token's place once somebody has logged out by hand, for the other tabs to see. */
  LOGGED_OUT = 'logged-out'
const watchers = new Set<() => void>()
let isStaying = false,
  hasEnded = false

function watch(tell: () => void) {
  watchers.add(tell)
  return () => watchers.delete(tell)
}

const tellAll = () => watchers.forEach((tell) => tell())

/** Who is signed in on this browser: the token, kept where the specification wants it. */
export const session = {
  token: () => localStorage.getItem(KEY),
  start: (token: string) => {
    hasEnded = false
    localStorage.removeItem(LOGGED_OUT)
    localStorage.setItem(KEY, token)
    tellAll()
  },
  end: () => {
    if (isStaying) return
    localStorage.removeItem(KEY)
    hasEnded = true
    tellAll()
  },
  /** Whether the session ended by itself since this page was loaded, and nobody has signed in since. */
  hasEnded: () => hasEnded,
  watch,
  /** What was just done has ended the session. The page stays as it is until its reader has been told so and leaves. */
  stayUntilLeft: () => {
    isStaying = true
  },
  /** Ends the session and loads `path` afresh, so that nothing of it stays in memory. */
  leaveTo: (path: string) => {
    localStorage.setItem(LOGGED_OUT, '')
    localStorage.removeItem(KEY)
    location.assign(path)
  },
}

/** Another tab signed in or out: this one starts afresh, with nothing of the earlier person in memory. */
export const followOtherTabs = () =>
  window.addEventListener('storage', ({ key }) => {
    if (key !== KEY || isStaying) return
    hasEnded = !session.token() && localStorage.getItem(LOGGED_OUT) === null
    if (hasEnded) tellAll()
    // Nobody is asked whether to stay on the earlier person's page.
    window.addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), { capture: true })
    location.reload()
  })

/** The browser keeps a page that is left as it was, for Back. After a sign-in or a sign-out it is hidden, and starts afresh if it comes back. */
export function leaveNothingToBack() {
  let owner = session.token()
  watch(() => {
    owner = session.token()
  })
  const hide = () => {
    const isAnothers = owner !== session.token()
    if (isAnothers) document.documentElement.hidden = true
    return isAnothers
  }
  window.addEventListener('pagehide', hide)
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted && hide()) location.reload()
  })
}
