/** The mark in the tab of a browser, for browsers that draw it in any size. */
export const ICON_SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b57b0"/><path d="m8 16.5 5.5 5.5L24.5 10.5" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/></svg>\n';

/** The same, drawn at 32 by 32 pixels, for `/favicon.ico`, which browsers ask for beside whatever is no page. */
export const ICON_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAYAAABzenr0AAAC2klEQVR4nMSXW0hUQRzGvzmtt/WSWZlpaRYUlcGmEGsYXaC8PJSLlVBSEqEQ+BAFIUFmIFEvEl2IinyoB8NkjazNIghabEkqCSVTgyQvbGhKXjZd3WnmmNuevR4vZ/f3cJiZM+d83/znzH/OqOBIrj5aHUJOA1RLKDQgJBYLAaU/KUEzQExj47QSdbqhmVtkpqDO12ez6j3WEA8FoUAvu54ce6Qz2A2EH67LZKUX8CMUNIebIDhSv0Q9aW0lhKyEH+GRGLOFblGFTVmP+1ucw6c6TLAcUwkgWgQIri2wuQiYAa6tIiBJCBBcW4CCrI+PQHFmMtbEqj32IeH5dRQKULgnCTeKNGLZxhQ2l7zEj36LSz9FIlCwK9EuLoqwT/7ozkS3fVVYYPLSE3CreKtLe21jDxQ3sE+zAvdL0sQRO3L+YSs6+kagqIHdKctRfXYbFjmpX679imv1nR6f82ggmKWonLQ4tpFRGD6aMTFp8/iS9A0xeHxOKz7jyPVn31BR0wZveDRw51QqDm5PEMvtvSPYW/YWA8MTLv00yYuhL01HSJBUvOp1F0oftMAXblcBf5lO+39X5uvZcCEDSyODJf1SEqPwnLVHhErHUW3sRsndZsjBrYFxqw16U6+kbdPqSLwq32E3sS4uXBSPCpOKP23qQ9HND5CLxzxwpuqzGHpHeCS4idS10Wgoy0BMRJDkfsMnMwoqm8TEIxevmXAZG62BCW1cFQlfvGnpR96Vd2L0ZoPXTNjPPrqsciO+dA976wZT+y8cumqatbhPA5yBfyacp2OGlq7fOFDRCMvEFOaCrL2Am+DL0NlEW88wsi8ZMTo+N3HZBhxNNHUOivX3HYPIumjE4KgV80Gx7VguPAJmBA6zwFK9vJSlAFyb/ZQG0AC4AYHeZqUh+BumybWFP9W67yx1noCfoUQo5NriMrTU5Or5WW364KiwMNOYPhfuf8Lr0t+XABzP/wIAAP//OtNJLgAAAAZJREFUAwDzdRCPR070fAAAAABJRU5ErkJggg==',
  'base64',
);
