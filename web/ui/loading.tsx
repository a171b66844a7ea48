/** The full-screen spinner. The same markup stands in the HTML, so that nothing jumps when the app takes over. */
export const Loading = () => (
  <div className="loading" role="status">
    <div className="loading-spinner" />
    Loading
  </div>
)
