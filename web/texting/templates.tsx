import { Button, NativeSelect } from '@mantine/core'
import { conversationsApi } from '@tatami/contract/texting/conversations'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { drafts } from '../lib/drafts.ts'
import { endpointQuery } from '../lib/query.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import styles from './templates.module.css'
import kit from '../ui/kit.module.css'

const TemplatesDialog = lazyComponent(() => import('./templates-dialog.tsx'), 'TemplatesDialog')

export function TemplateSelect({ onPick }: { onPick: (text: string) => void }) {
  const { data: templates = [] } = useQuery(endpointQuery(conversationsApi.templates))
  const [selectedId, setSelectedId] = useState('')
  const selectedTemplate = templates.find(({ id }) => id === selectedId)
  if (templates.length === 0) return null
  const insert = () => {
    if (selectedTemplate) onPick(selectedTemplate.text)
    setSelectedId('')
  }
  // Arrow keys change the value of a closed select, so a button inserts the text.
  return (
    <div className={`${kit.line} ${styles.templateSelect}`}>
      <NativeSelect
        aria-label="Template"
        size="sm"
        value={selectedTemplate ? selectedId : ''}
        data={[
          { label: 'Choose a template', value: '' },
          ...templates.map(({ id, name }) => ({ label: name, value: id })),
        ]}
        onChange={(event) => setSelectedId(event.currentTarget.value)}
      />
      <Button variant="default" size="sm" disabled={!selectedTemplate} onClick={insert}>
        Insert<VisuallyHidden> the template</VisuallyHidden>
      </Button>
    </div>
  )
}

/** Contains forms, so it must not be placed inside another form. */
export function Templates({ onPick }: { onPick: (text: string) => void }) {
  const [isOpen, setOpen] = useState(() => drafts.subjectOf('template') !== undefined)
  return (
    <div className={`${kit.row} ${styles.templates}`}>
      <TemplateSelect onPick={onPick} />
      <Button
        variant="subtle"
        size="sm"
        px={0}
        onClick={() => setOpen(true)}
        {...TemplatesDialog.preloadOnHover}
      >
        Templates
      </Button>
      {isOpen && <TemplatesDialog onClose={() => setOpen(false)} />}
    </div>
  )
}

export const appendTemplate = (text: string, template: string) =>
  text.trim() === '' ? template : `${text.trimEnd()} ${template}`
