/** The view of a plot; colors are names of the theme. */
export interface PlotView {
  labels: string[]
  series: { label: string; values: number[]; color: string }[]
  isHorizontal: boolean
}
