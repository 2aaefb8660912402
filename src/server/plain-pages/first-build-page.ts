import { firstBuildPage } from '../../messages/server/requests.ts'
import { plainPage } from './plain-page.ts'

/** How often the page asks again. */
export const FIRST_BUILD_REFRESH_SECONDS = '2'

/** What visitors see until there is a site. Its `refresh` header shows them the site by itself. */
export const FIRST_BUILD_PAGE = plainPage(firstBuildPage)
