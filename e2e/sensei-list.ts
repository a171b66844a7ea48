import type { Page } from '@playwright/test'

type ListedSensei = { email: string; dojo_name: string | null }

/** Changes the server's response with the list of sensei. */
export const changeSenseiList = (page: Page, change: (list: ListedSensei[]) => ListedSensei[]) =>
  page.route(/\/api\/super-admin\/sensei\?/, async (route) => {
    try {
      const response = await route.fetch()
      const { sensei_list } = (await response.json()) as { sensei_list: ListedSensei[] }
      await route.fulfill({ response, json: { sensei_list: change(sensei_list) } })
    } catch {
      // The test has left the screen or has ended.
    }
  })

/** Other tests have created many sensei, and a busy browser would take seconds to draw all. */
export const shortenSenseiList = (page: Page) => changeSenseiList(page, (list) => list.slice(0, 3))
