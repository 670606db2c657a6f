// Draws the description of this service, light or dark as the reader has it, and asks nobody else about it.
// Tags without operations (`messages`: webhooks are listed apart) would be empty sections.
const withoutEmptyTags = () => ({
  statePlugins: {
    spec: {
      wrapSelectors: {
        taggedOperations:
          (selected) =>
          (...words) =>
            selected(...words).filter((tag) => tag.get("operations").size > 0),
      },
    },
  },
});

window.addEventListener("DOMContentLoaded", () => {
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
  dark.addEventListener("change", follow);
  follow();
  SwaggerUIBundle({
    url: "/openapi.yaml",
    dom_id: "#api",
    deepLinking: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    docExpansion: "list",
    tryItOutEnabled: true,
    validatorUrl: null,
    plugins: [withoutEmptyTags],
  });
});
