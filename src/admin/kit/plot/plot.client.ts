import { BarController, BarElement, CategoryScale, Chart, Legend, LinearScale, Tooltip } from 'chart.js'
import type { PlotView } from './plot.ts'

// Draws the figures in the table beside each plot.
Chart.register(BarController, BarElement, CategoryScale, LinearScale, Legend, Tooltip)

const dark = window.matchMedia('(prefers-color-scheme: dark)')
let charts: Chart[] = []
draw()
dark.addEventListener('change', draw)

function draw() {
  for (const chart of charts) chart.destroy()
  charts = [...document.querySelectorAll<HTMLCanvasElement>('canvas[data-plot]')].map(drawPlot)
}

function drawPlot(canvas: HTMLCanvasElement): Chart {
  const { labels, series, isHorizontal } = JSON.parse(canvas.dataset.plot ?? '') as PlotView
  const text = colorOf('--color-base-content')
  const grid = colorOf('--color-base-300')
  const counts = { beginAtZero: true, ticks: { precision: 0, color: text }, grid: { color: grid } }
  const names = { ticks: { color: text, maxRotation: 0, autoSkipPadding: 12 }, grid: { display: false } }
  return new Chart(canvas, {
    type: 'bar',
    data: {
      labels,
      datasets: series.map(({ label, values, color, bar = '' }) => {
        const backgroundColor = colorOf(`--color-${color}`)
        return {
          label,
          data: values,
          stack: bar,
          backgroundColor,
          hoverBackgroundColor: backgroundColor,
          maxBarThickness: 28,
        }
      }),
    },
    options: {
      animation: false,
      maintainAspectRatio: false,
      indexAxis: isHorizontal ? 'y' : 'x',
      interaction: { mode: 'index', axis: isHorizontal ? 'y' : 'x', intersect: false },
      scales: {
        x: { ...(isHorizontal ? counts : names), stacked: true },
        y: { ...(isHorizontal ? names : counts), stacked: true },
      },
      plugins: {
        legend: { display: series.length > 1, position: 'bottom', labels: { color: text, boxWidth: 12 } },
      },
    },
  })
}

function colorOf(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name)
}
