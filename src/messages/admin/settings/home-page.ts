/** The settings that only the home page shows. */
export const homePage = {
  title: 'Home page',
  lead: 'The first page of your site. Publish to show changes to visitors.',
  saved: 'Home page saved. Publish to show the changes to visitors.',
  jump: 'Home page sections',
  edit: 'Edit home page',
  sections: {
    home_intro: { title: 'Heading and introduction', lead: 'The first words that visitors read.' },
    home_pictures: { title: 'Pictures', lead: 'Choose pictures from your library.' },
    home_texts: { title: 'Section content', lead: 'Each field appears in the section with the same name.' },
    home_sections: { title: 'Sections', lead: 'Choose which sections to show, and in what order.' },
    home_search: { title: 'Search results', lead: 'Choose how search engines list the home page.' },
  },
}
