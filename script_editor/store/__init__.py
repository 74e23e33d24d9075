"""Scripts and their versions in SQLite or PostgreSQL; the only home of SQLModel, SQLAlchemy and Alembic."""
