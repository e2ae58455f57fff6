"""The referee on trial: random games and staged illegal acts, and how it judged them."""
