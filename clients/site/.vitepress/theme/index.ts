// Without the theme's fonts, which would be most of the site.
export { default } from "vitepress/theme-without-fonts"
