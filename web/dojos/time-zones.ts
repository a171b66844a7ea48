const US_ZONES: Record<string, string> = {
  'America/New_York': 'Eastern Time (New York)',
  'America/Chicago': 'Central Time (Chicago)',
  'America/Denver': 'Mountain Time (Denver)',
  'America/Phoenix': 'Mountain Time, no daylight saving (Phoenix)',
  'America/Los_Angeles': 'Pacific Time (Los Angeles)',
  'America/Anchorage': 'Alaska Time (Anchorage)',
  'Pacific/Honolulu': 'Hawaii Time (Honolulu)',
}

/** Browsers list some cities under outdated names. */
const CURRENT_CITY_NAMES: Record<string, string> = {
  Calcutta: 'Kolkata',
  Katmandu: 'Kathmandu',
  Kiev: 'Kyiv',
  Rangoon: 'Yangon',
  Saigon: 'Ho Chi Minh City',
}

/** For example, turns "America/Argentina/Ushuaia" into "Ushuaia, Argentina". */
function formatPlace(zone: string): string {
  const [city = zone, ...countries] = zone.replaceAll('_', ' ').split('/').slice(1).toReversed()
  return [CURRENT_CITY_NAMES[city] ?? city, ...countries].join(', ')
}

const toOption = (value: string) => ({ value, label: US_ZONES[value] ?? formatPlace(value) })

export function listTimeZoneOptions(
  current: string,
  supportedZones = Intl.supportedValuesOf('timeZone'),
) {
  const isPlace = (zone: string) => zone.includes('/') && !zone.startsWith('Etc/')
  const otherZones = supportedZones.filter(
    (zone) => isPlace(zone) && zone !== current && !(zone in US_ZONES),
  )
  const zonesByContinent = Map.groupBy(otherZones, (zone) => zone.slice(0, zone.indexOf('/')))
  return [
    { group: 'Current', items: [toOption(current)] },
    {
      group: 'United States',
      items: Object.keys(US_ZONES)
        .filter((zone) => zone !== current)
        .map(toOption),
    },
    ...[...zonesByContinent].map(([group, zones]) => ({
      group,
      items: zones.map(toOption).toSorted((a, b) => a.label.localeCompare(b.label, 'en')),
    })),
  ]
}
