import { useId, useRef, type KeyboardEvent, type ReactNode } from 'react'
import styles from './tabs.module.css'
import kit from './kit.module.css'

type Props<Value extends string> = {
  label: string
  tabs: readonly { value: Value; label: string }[]
  value: Value
  onChange: (value: Value) => void
  /** `switch` looks like a ChoiceBar, for use below the tabs of the navigation. */
  look?: 'switch'
  children: ReactNode
}

const INDEX_AFTER_KEY: Record<string, (index: number, count: number) => number> = {
  ArrowRight: (index, count) => (index + 1) % count,
  ArrowLeft: (index, count) => (index + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

export function Tabs<Value extends string>(props: Props<Value>) {
  const { label, tabs, value, onChange, look, children } = props
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    const nextIndex = INDEX_AFTER_KEY[event.key]?.(
      tabs.findIndex((tab) => tab.value === value),
      tabs.length,
    )
    const nextTab = nextIndex === undefined ? undefined : tabs[nextIndex]
    if (nextIndex === undefined || !nextTab) return
    event.preventDefault()
    onChange(nextTab.value)
    list.current?.querySelectorAll('button')[nextIndex]?.focus()
  }
  return (
    <div className={`${kit.stack} ${styles.tabs}`}>
      <div ref={list} role="tablist" aria-label={label} className={styles.list} data-look={look}>
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-${tab.value}`}
            className={`${kit.bareButton} ${styles.tab}`}
            aria-selected={tab.value === value}
            aria-controls={tab.value === value ? `${id}-panel` : undefined}
            tabIndex={tab.value === value ? 0 : -1}
            onClick={() => onChange(tab.value)}
            onKeyDown={onKeyDown}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`}>
        {children}
      </div>
    </div>
  )
}
