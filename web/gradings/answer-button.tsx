import { Button, type ButtonProps } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import type { GradingAnswer } from '@tatami/contract/gradings/gradings'
import type { ReactNode } from 'react'

export type NewAnswer = Exclude<GradingAnswer, 'none'>

type Props = ButtonProps & {
  answer: NewAnswer
  currentAnswer: GradingAnswer
  onAnswer: (answer: NewAnswer) => void
  children: ReactNode
}

export function AnswerButton({ answer, currentAnswer, onAnswer, children, ...buttonProps }: Props) {
  const isCurrent = answer === currentAnswer
  const AnswerIcon = answer === 'yes' ? IconCheck : IconX
  return (
    <Button
      variant={isCurrent ? 'filled' : 'default'}
      aria-pressed={isCurrent}
      leftSection={<AnswerIcon size={20} aria-hidden />}
      onClick={() => onAnswer(answer)}
      {...buttonProps}
    >
      {children}
    </Button>
  )
}
