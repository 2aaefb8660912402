/** What the plots of the dashboard are about. */
export const dashboardLabels = {
  deletedForm: 'Deleted form',
  delivered: 'Delivered',
  failed: 'Failed',
}
