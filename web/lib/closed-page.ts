import { useLocation } from 'react-router'
import type { PageName } from './paths.ts'

type ClosedPage = { closedSection: PageName }

/** The state of a location to which somebody was sent from a page that is closed to them. */
export const closedPage = (section: PageName): ClosedPage => ({ closedSection: section })

/** The section of the page from which the user was sent here. */
export const useClosedSection = (): PageName | undefined =>
  (Object(useLocation().state) as Partial<ClosedPage>).closedSection
