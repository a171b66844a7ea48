import classes from './skip-link.module.css'

/** The first stop of the Tab key: past the navigation. */
export const SkipLink = () => (
  <a href="#content" className={classes.skip}>
    Skip to content
  </a>
)
