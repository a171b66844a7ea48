export const Logo = ({ size = 28 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="7" fill="var(--violet)" />
    <path
      d="M6 6h13v6H6zM20 6h6v13h-6zM13 20h13v6H13zM6 13h6v13H6zM13 13h6v6h-6z"
      fill="var(--surface)"
    />
  </svg>
)

const YEAR = new Date().getFullYear()

/** Plain CSS, because the landing page is built without CSS modules. */
export const Footer = () => (
  <footer className="footer">
    <p>Run your dojo, not your paperwork.</p>
    <p>
      <a href="/privacy">What we keep</a>
    </p>
    <p>© {YEAR} Tatami</p>
  </footer>
)

/** The HTML has the same markup (landing/prerendered.tsx), so nothing moves when the app starts. */
export const PageLoading = () => (
  <div className="loading" role="status">
    <div className="loading-spinner" />
    Loading
  </div>
)
