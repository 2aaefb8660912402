/** The view of a plot; colors are names of the theme. */
export interface PlotView {
  labels: string[]
  /** Series of the same bar are stacked; without a bar, all are. */
  series: { label: string; values: number[]; color: string; bar?: string }[]
  isHorizontal: boolean
}
