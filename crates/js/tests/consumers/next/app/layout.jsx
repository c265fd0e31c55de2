export default function Layout({ children }) {
  return (
    <html lang="en">
      <head>
        <title>evalcheck with Next.js</title>
        <link rel="icon" href="data:," />
      </head>
      <body>{children}</body>
    </html>
  );
}
