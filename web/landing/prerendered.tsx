import { renderToStaticMarkup } from 'react-dom/server'
import { Loading } from '../ui/loading.tsx'
import { Landing } from './landing.tsx'

/** What the build writes into the HTML. */
export const landing = renderToStaticMarkup(<Landing />)
export const loading = renderToStaticMarkup(<Loading />)
