import { leadsApi } from '@tatami/contract/leads/leads'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { DataTable } from '../ui/data-table.tsx'
import { Panel } from '../ui/panel.tsx'

/** Shows numbers and no percentages, because most sources bring only a few people. */
export function SourceTable() {
  const { data: sources } = useRetryingQuery(endpointQuery(leadsApi.figures))
  if (!sources || sources.length === 0) return null
  return (
    <Panel title="Where they come from" aside="Last 12 months">
      <DataTable columns={['Source', 'Leads', 'Booked', 'Came', 'Joined']}>
        <tbody>
          {sources.map(({ source, leads, booked, came, joined }) => (
            <tr key={source}>
              <th scope="row">{source}</th>
              <td>{leads}</td>
              <td>{booked}</td>
              <td>{came}</td>
              <td>{joined}</td>
            </tr>
          ))}
        </tbody>
      </DataTable>
    </Panel>
  )
}
