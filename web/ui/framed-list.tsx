import type { ComponentProps } from 'react'
import styles from './framed-list.module.css'

/** Rows in one frame, separated by hairlines. */
export const FramedList = (props: Omit<ComponentProps<'ul'>, 'className'>) => <ul {...props} className={styles.list} />
