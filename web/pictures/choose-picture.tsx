import { Button } from '@mantine/core'
import { IconCamera, IconPhoto } from '@tabler/icons-react'
import { type ChangeEvent, useRef, useState } from 'react'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { openPicture } from './picture-file.ts'
import kit from '../ui/kit.module.css'

const CANNOT_OPEN = 'This file can’t be opened as a picture. Please choose a JPEG, PNG or WebP.'

type Props = {
  label: string
  /** Also offers the camera, on phones and tablets. */
  hasCamera?: boolean
  disabled?: boolean
  onPicture: (picture: HTMLCanvasElement) => void
}

const isTouchDevice = () => matchMedia('(pointer: coarse)').matches

export function ChoosePicture({ label, hasCamera = false, disabled, onPicture }: Props) {
  const fileInput = useRef<HTMLInputElement>(null)
  const cameraInput = useRef<HTMLInputElement>(null)
  const [hasFailed, setHasFailed] = useState(false)
  const [isOpening, setIsOpening] = useState(false)
  const open = async ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const [file] = currentTarget.files ?? []
    // Otherwise the browser would ignore the same file when it is chosen a second time.
    currentTarget.value = ''
    if (!file) return
    setIsOpening(true)
    const picture = await openPicture(file)
    setIsOpening(false)
    setHasFailed(picture === null)
    if (picture) onPicture(picture)
  }
  const inputProps = {
    type: 'file',
    accept: 'image/*',
    hidden: true,
    tabIndex: -1,
    onChange: (event: ChangeEvent<HTMLInputElement>) => void open(event),
  } as const
  return (
    <>
      <div className={kit.row}>
        {hasCamera && isTouchDevice() && (
          <Button
            variant="default"
            leftSection={<IconCamera size={20} aria-hidden />}
            disabled={disabled}
            onClick={() => cameraInput.current?.click()}
          >
            Take a photo
          </Button>
        )}
        <BusyButton
          variant="default"
          leftSection={<IconPhoto size={20} aria-hidden />}
          busy={isOpening}
          busyLabel="Opening..."
          disabled={disabled}
          onClick={() => fileInput.current?.click()}
        >
          {label}
        </BusyButton>
        <input ref={fileInput} aria-label={label} {...inputProps} />
        <input ref={cameraInput} aria-label="Camera" capture="environment" {...inputProps} />
      </div>
      <ErrorNotice>{hasFailed && CANNOT_OPEN}</ErrorNotice>
    </>
  )
}
