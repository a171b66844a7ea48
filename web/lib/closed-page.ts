import { useLocation } from 'react-router'
import type { PageName } from './paths.ts'

type ClosedPageState = { closedSection: PageName }

/** The location state for a redirect from a page that the user may not see. */
export const closedPageState = (section: PageName): ClosedPageState => ({ closedSection: section })

/** The section of the page from which the user was redirected, if any. */
export const useClosedSection = (): PageName | undefined =>
  (Object(useLocation().state) as Partial<ClosedPageState>).closedSection
