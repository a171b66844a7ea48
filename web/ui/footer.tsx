const YEAR = new Date().getFullYear()

/** At the foot of every page. Its sheet is plain CSS, since the landing page is written before any module has a name. */
export const Footer = () => (
  <footer className="footer">
    <p>Run your dojo, not your paperwork.</p>
    <p>© {YEAR} Tatami</p>
  </footer>
)
